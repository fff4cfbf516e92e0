import { completeUploadContract } from '../../core/api/uploads.ts';
import { route } from '../runtime/http/route.ts';
import { mediaUploads } from '../runtime/media-uploads.ts';
import { completeUpload } from './app/uploads.ts';

export const handler = route(completeUploadContract, completeUpload({ uploads: mediaUploads() }));
