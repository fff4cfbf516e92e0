export type { hls } from './recipes/catalog/streaming/hls.ts';
export { maxUrlCharacters } from './recipes/parameters/max-url-characters.ts';
export type { ParameterSchema, ValueLabel } from './recipes/parameters/parameter-schema.ts';
export { fitsMemory } from './recipes/pipeline/fits-memory.ts';
export { stepWarnings } from './recipes/pipeline/step-warnings.ts';
export {
  assignFormats,
  dependOnCaptions,
  nameMeasurements,
  nameOutput,
  nameWarnings,
  planStep,
  type Step,
  stepLabel,
} from './recipes/pipeline/steps.ts';
export {
  addStepToError,
  type StepForecast,
  totalCost,
  validatePipeline,
} from './recipes/pipeline/validate-pipeline.ts';
export { type Asset, type Comparison, comparisons, type Recipe } from './recipes/recipe.ts';
export {
  dependsOnCaptions,
  describesOnly,
  findConflicts,
  findRecipe,
  formatSchema,
  listAssets,
  planRecipe,
  type RecipeRequest,
  recipeRequestSchema,
  recipes,
} from './recipes/registry.ts';
