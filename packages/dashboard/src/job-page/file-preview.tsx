import { Text } from '@mantine/core';
import type { OutputFile } from './output-file.ts';
import classes from './result.module.css';
import { useStableUrl } from './use-stable-url.ts';

/** An audio, video or image file. Its aspect ratio is known in advance, so that the page does not shift. */
export function FilePreview({ file }: { file: OutputFile }) {
  const { url, hasFailed, onError } = useStableUrl(file.storage_url);
  if (hasFailed) {
    return (
      <Text size="sm" c="dimmed">
        This browser cannot show the file: it may not support {file.file_format} with {file.codec ?? 'this codec'}, or
        the storage cannot be reached. Download the file to view it.
      </Text>
    );
  }
  if (file.file_type === 'audio') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: users' files have no captions.
      <audio controls preload="metadata" src={url} onError={onError} style={{ width: '100%' }} />
    );
  }
  return (
    <div className={classes.stage} style={{ aspectRatio: `${file.width ?? 16} / ${file.height ?? 9}` }}>
      {file.file_type === 'image' ? (
        <img src={url} alt={file.filename} onError={onError} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: users' files have no captions.
        <video controls playsInline preload="metadata" src={url} onError={onError} aria-label="Result" />
      )}
    </div>
  );
}
