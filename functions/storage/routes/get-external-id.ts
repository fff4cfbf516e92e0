import { route } from '../../../adapters/runtime/http/route.ts';
import { readTrustedStage } from '../../../adapters/runtime/trusted-stage.ts';
import { getExternalIdContract } from '../../../core/api/storage-providers.ts';
import { getExternalId } from '../storage-providers.ts';

export const handler = route(getExternalIdContract, getExternalId(readTrustedStage()));
