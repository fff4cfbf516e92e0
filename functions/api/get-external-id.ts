import { getExternalIdContract } from '../../core/api/storage-providers.ts';
import { route } from '../runtime/http/route.ts';
import { readTrustedStage } from '../runtime/trusted-stage.ts';
import { getExternalId } from './app/storage-providers.ts';

export const handler = route(getExternalIdContract, getExternalId(readTrustedStage()));
