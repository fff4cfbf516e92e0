import * as z from 'zod';
import { idempotencyTable } from '../../../adapters/dynamodb/idempotency-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { answerPart, route } from '../../../adapters/runtime/http/route.ts';
import { presetPorts } from '../../../adapters/runtime/presets.ts';
import { systemClock as clock, newId } from '../../../adapters/system/clock.ts';
import * as contracts from '../../../core/api/presets.ts';
import * as apps from '../presets.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
const ports = presetPorts();

export const handler = answerPart({
  listPresets: route(contracts.listPresetsContract, apps.listPresets(ports)),
  createPreset: route(
    contracts.createPresetContract,
    apps.createPreset({ ...ports, newId, clock, reservations: idempotencyTable(dynamo, TABLE_NAME) }),
  ),
  getPreset: route(contracts.getPresetContract, apps.getPreset(ports)),
  updatePreset: route(contracts.updatePresetContract, apps.updatePreset(ports)),
});
