import { globOf } from '../../text/glob.js';
import type { Config } from './config.js';

/** What the config calls the project in a folder; undefined without such names. */
export function projectNames({ projects }: Config): ((folder: string) => string) | undefined {
  const named = Object.entries(projects).flatMap(([name, folders]) =>
    folders.map((folder) => ({ name, folder, glob: globOf(folder) })),
  );
  if (named.length === 0) return undefined;
  return (project) =>
    named.find(({ folder, glob }) => glob.test(project) || project.startsWith(`${folder}/`))?.name ?? project;
}
