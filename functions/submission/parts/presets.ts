import { answerPart } from '../../../adapters/runtime/http/route.ts';
import { presetRoutes } from '../routes/presets.ts';

export const handler = answerPart(presetRoutes);
