/** Inputs of a job whose recipe joins them. */
export const maxInputs = 20;

/** Days for which a request can keep files. */
export const maxKeepDays = 3650;

/** Steps of a pipeline. */
export const maxSteps = 8;

/** Of the jobs of one owner the highest priority goes first. */
export const maxPriority = 9;
export const defaultPriority = 5;

/** Outputs of a job. */
export const maxOutputs = 20;

/** Outputs that are made one of the other. */
export const maxDepth = 8;
