export { readAssembly } from './template/assembly.ts';
export { planStage } from './template/stage-plan.ts';
