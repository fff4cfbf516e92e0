import { answerPart } from '../../../adapters/runtime/http/answer-routes.ts';
import { presetRoutes } from '../routes/presets.ts';

export const handler = answerPart(presetRoutes);
