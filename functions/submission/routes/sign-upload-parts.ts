import { route } from '../../../adapters/runtime/http/route.ts';
import { signUploadPartsContract } from '../../../core/api/uploads.ts';
import { signUploadParts } from '../uploads.ts';
import { mediaUploads } from './media-uploads.ts';

export const handler = route(signUploadPartsContract, signUploadParts({ uploads: mediaUploads() }));
