/** What a budget of stats and check is for, if not for all transcripts together. */
export const perOption = {
  type: 'choice',
  choices: ['day', 'week', 'month', 'project', 'branch'],
  needs: ['maxTotalCost'],
  summary: '--max-total-cost is for each day, week, month, project or branch of git',
} as const;
