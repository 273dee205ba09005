/** Says at the end of a run which tests were skipped: a run without ../shared, or on another system, tries less. */
import type { Reporter, TestModule } from 'vitest/node';

export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map(({ fullName }) => `  ${module.relativeModuleId}: ${fullName}`),
    );
    if (skipped.length === 0 || process.argv.some((word) => /^(-t|--testNamePattern)/.test(word))) return;
    console.log(`\n${skipped.length} tests were skipped:\n${skipped.slice(0, MOST).join('\n')}`);
    if (skipped.length > MOST) console.log(`  and ${skipped.length - MOST} more`);
  }
}

/** More lines than this would hide the result of the run. */
const MOST = 40;
