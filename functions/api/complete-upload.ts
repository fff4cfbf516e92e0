import { route } from '../../adapters/runtime/http/route.ts';
import { mediaUploads } from '../../adapters/runtime/media-uploads.ts';
import { completeUploadContract } from '../../core/api/uploads.ts';
import { completeUpload } from './app/uploads.ts';

export const handler = route(completeUploadContract, completeUpload({ uploads: mediaUploads() }));
