/** What shells need to complete our command lines. Each script asks the program itself what can follow. */
import { type SafeText, safe } from '../../../safe/text.js';

/**
 * Readline replaces only what follows the last of `COMP_WORDBREAKS`, such as `:` and `=`: so much of each candidate is
 * cut off. `@` is one of them, but stays part of the word that it begins. What bash inserts it does not quote; zsh and
 * fish do.
 */
const bash = safe`_ctx_trim() {
  local line="\${COMP_LINE:0:COMP_POINT}"
  local word="\${line##* }"
  local typed="\${word%"\${word##*["\${COMP_WORDBREAKS//@/}"]}"}"
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    printf -v candidate '%q' "\${candidate#"$typed"}"
    COMPREPLY+=("$candidate")
  done < <(ctx-trim complete "$line" 2>/dev/null)
}
complete -o default -F _ctx_trim ctx-trim
`;

const zsh = safe`_ctx_trim() {
  local -a found
  found=("\${(@f)$(ctx-trim complete "\${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a -- found; else _files; fi
}
compdef _ctx_trim ctx-trim
`;

const fish = safe`function __ctx_trim
  set -l found (ctx-trim complete (commandline -cp) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c ctx-trim -f -a '(__ctx_trim)'
`;

export const SCRIPTS: ReadonlyMap<string, SafeText> = new Map(Object.entries({ bash, zsh, fish }));
