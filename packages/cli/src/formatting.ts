export { shellQuote, submitCommandLine } from './formatting/command-line.ts';
export { jobName } from './formatting/job-name.ts';
export { formatLimit, limitTitle } from './formatting/limits.ts';
export {
  formatAge,
  formatBytes,
  formatDollars,
  formatDollarsInColumn,
  formatDuration,
  formatNumber,
} from './formatting/quantities.ts';
export { recipeLine, recipesByGoal } from './formatting/recipe-goals.ts';
export { replaceUnsafeCharacters } from './formatting/unsafe-characters.ts';
export { noPreset, sumGroups, unknownRecipe } from './formatting/usage-groups.ts';
export { noDeliveries, webhookTestResult } from './formatting/webhook-test.ts';
export { parsePresetValue } from './request/preset-value.ts';
