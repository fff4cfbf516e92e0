import { route } from '../../../adapters/runtime/http/route.ts';
import { completeUploadContract } from '../../../core/api/uploads.ts';
import { completeUpload } from '../uploads.ts';
import { mediaUploads } from './media-uploads.ts';

export const handler = route(completeUploadContract, completeUpload({ uploads: mediaUploads() }));
