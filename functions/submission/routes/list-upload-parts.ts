import { route } from '../../../adapters/runtime/http/route.ts';
import { listUploadPartsContract } from '../../../core/api/uploads.ts';
import { listUploadParts } from '../uploads.ts';
import { mediaUploads } from './media-uploads.ts';

export const handler = route(listUploadPartsContract, listUploadParts({ uploads: mediaUploads() }));
