import { headFileContract } from '../../core/api/files.ts';
import { publicRoute } from '../runtime/http/route.ts';
import { openFileDeps } from '../runtime/open-file-deps.ts';
import { headFile } from './app/head-file.ts';

export const handler = publicRoute(headFileContract, headFile(openFileDeps()));
