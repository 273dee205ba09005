/** Interfaces of the library's documents as they are in the source. */
import { readFileSync } from 'node:fs';

const source = ['documents.ts', 'simulation-documents.ts']
  .map((name) => readFileSync(`src/library/${name}`, 'utf8'))
  .join('\n');

/** `names`: separated by spaces. */
export function interfaces(names: string): string {
  return `\`\`\`ts\n${names.split(' ').map(declaration).join('\n')}\`\`\`\n`;
}

function declaration(name: string): string {
  const found = new RegExp(`((?:/\\*\\*[^\\n]*\\n)?)export (interface ${name}\\s[\\s\\S]*?\\n}\\n)`).exec(source);
  if (found === null) throw new Error(`there is no interface ${name}`);
  return `${found[1]}${found[2]}`.replaceAll('readonly ', '');
}
