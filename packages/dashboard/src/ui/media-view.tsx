import { type ReactNode, type Ref, useState } from 'react';
import classes from './media-view.module.css';
import { Note } from './text.tsx';

/**
 * Keeps a signed URL until it fails, so that a renewed signature does not restart a playing video. The component needs
 * the identity of the media as its key.
 */
export function useStableUrl(signedUrl: string) {
  const [url, setUrl] = useState(signedUrl);
  const [hasFailed, setHasFailed] = useState(false);
  const onError = () => {
    if (url === signedUrl) setHasFailed(true);
    else setUrl(signedUrl);
  };
  return { url, hasFailed, onError };
}

/** How to show a file or a URL by its name. */
export function kindOfName(name: string): 'image' | 'audio' | 'video' {
  const path = name.replace(/[?#].*$/s, '');
  if (/\.(jpe?g|png|webp|avif|gif)$/i.test(path)) return 'image';
  return /\.(mp3|m4a|aac|wav|flac|og[ga]|opus)$/i.test(path) ? 'audio' : 'video';
}

export type MediaFrame = { width: number; height: number; seconds: number };

type Props = {
  signedUrl: string;
  kind: 'video' | 'audio' | 'image';
  label: string;
  /** Known in advance, so that the page does not shift. */
  frame?: { width?: number | undefined; height?: number | undefined };
  maxHeight?: string;
  /** In place of what this browser cannot show. */
  unplayable: ReactNode;
  video?: Ref<HTMLVideoElement>;
  onFrame?: (frame: MediaFrame) => void;
  /** Over the picture, in place of the controls. */
  children?: ReactNode;
};

/** Media that the browser loads. A video whose sound alone it can decode is one that it cannot show. */
export function MediaView({ signedUrl, kind, label, frame = {}, maxHeight = '70vh', unplayable, ...view }: Props) {
  const { video, onFrame, children } = view;
  const { url, hasFailed, onError } = useStableUrl(signedUrl);
  if (hasFailed) {
    return <Note>{unplayable}</Note>;
  }
  if (kind === 'audio') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: users' files have no captions.
      <audio controls preload="metadata" src={url} onError={onError} style={{ width: '100%' }} aria-label={label} />
    );
  }
  const { width = 16, height = 9 } = frame;
  return (
    <div
      className={classes.stage}
      // What lies over the picture has its size: no bars beside it.
      style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, ${maxHeight} * ${width / height})` }}
    >
      {kind === 'image' ? (
        <img
          src={url}
          alt={label}
          onError={onError}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            onFrame?.({ width: naturalWidth, height: naturalHeight, seconds: 0 })
          }
        />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: users' files have no captions.
        <video
          ref={video}
          controls={children === null || children === undefined}
          playsInline
          preload="metadata"
          src={url}
          onError={onError}
          onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight, duration } }) => {
            if (videoWidth > 0) onFrame?.({ width: videoWidth, height: videoHeight, seconds: duration });
            else if (frame.width !== undefined) onError();
          }}
          aria-label={label}
        />
      )}
      {children}
    </div>
  );
}
