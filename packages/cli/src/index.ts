export { timedSleep } from './context/timed-sleep.ts';
export { exitCodes } from './exit-codes.ts';
export { toFailure } from './failure.ts';
export { createProgram, descendants } from './program.ts';
export { recipeOptions } from './request/recipe-options.ts';
export { formatAllowedValues, recipeParameters } from './request/recipe-parameters.ts';
export { formatJob } from './show/job-text.ts';
export { formatDownloads } from './transfer/download-files.ts';
export { uploadFromDisk } from './transfer/upload-from-disk.ts';
