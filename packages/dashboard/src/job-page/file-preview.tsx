import type { OutputFile } from '../job/distinct-files.ts';
import { MediaView } from '../ui/media-view.tsx';

/** An audio, video or image file. */
export function FilePreview({ file }: { file: OutputFile }) {
  const { file_type: type, file_format: format, codec, filename } = file;
  return (
    <MediaView
      signedUrl={file.storage_url}
      kind={type === 'audio' || type === 'image' ? type : 'video'}
      label={type === 'image' ? filename : 'Result'}
      frame={file}
      unplayable={`This browser cannot show the file: it may not play ${format} with ${codec ?? 'this codec'}, or the storage cannot be reached. Download the file to view it.`}
    />
  );
}
