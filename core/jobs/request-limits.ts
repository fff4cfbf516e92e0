/** Inputs of a job whose recipe joins them. */
export const maxInputs = 20;

/** Steps of a pipeline. */
export const maxSteps = 8;
