export { readAssembly } from './template/assembly.ts';
export { type FunctionPlan, planStage } from './template/stage-plan.ts';
