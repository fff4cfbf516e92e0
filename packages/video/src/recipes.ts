export type { hls } from './recipes/catalog/streaming/hls.ts';
export { command as commandRecipe } from './recipes/command/command.ts';
export { CommandArgumentError, commandArguments } from './recipes/command/command-arguments.ts';
export {
  type CommandTemplate,
  commandDefaults,
  commandSchema,
  formatOfCommand,
  type Placeholder,
} from './recipes/command/command-schema.ts';
export { conditionSchema } from './recipes/graph/conditions.ts';
export {
  endReaders,
  forecastGraph,
  readBy,
  type StepEnd,
  type StepEnds,
  type StepForecast,
  totalCost,
} from './recipes/graph/forecast-graph.ts';
export { fuseSteps, recipesOf } from './recipes/graph/fuse-steps.ts';
export {
  addStepToError,
  assignFormats,
  dependOnCaptions,
  nameMeasurements,
  nameOutput,
  nameWarnings,
  orderOutputs,
  planStep,
  type Step,
  stepLabel,
  stepWarnings,
} from './recipes/graph/steps.ts';
export {
  type Asset,
  type Comparison,
  comparisons,
  maxUrlCharacters,
  type ParameterSchema,
  type Recipe,
  type ValueLabel,
} from './recipes/recipe.ts';
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
  type StoredRecipe,
  storedRecipeSchema,
  withRecipeDefaults,
} from './recipes/registry.ts';
