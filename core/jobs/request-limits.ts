/** Inputs of a job whose recipe joins them. */
export const maxInputs = 20;

/** Days for which a request can keep files. */
export const maxKeepDays = 3650;

/** Steps of a pipeline. */
export const maxSteps = 8;

/** Outputs of a job. */
export const maxOutputs = 20;

/** Outputs that are made one of the other. */
export const maxDepth = 8;
