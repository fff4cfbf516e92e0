import { route } from '../../../adapters/runtime/http/route.ts';
import { abortUploadContract } from '../../../core/api/uploads.ts';
import { abortUpload } from '../uploads.ts';
import { mediaUploads } from './media-uploads.ts';

export const handler = route(abortUploadContract, abortUpload({ uploads: mediaUploads() }));
