/** What a budget of stats and check is for, if not for all transcripts together. */
export const perOption = {
  type: 'choice',
  choices: ['day', 'week', 'month', 'project', 'branch'],
  value: 'period',
  needs: ['maxTotalCost'],
  summary: '--max-total-cost is for each of these, not for all together',
} as const;
