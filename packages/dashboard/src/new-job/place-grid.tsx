import type { CSSProperties } from 'react';
import { labelFromCode } from '../format/labels.ts';
import type { MediaFrame } from '../ui/media-view.tsx';
import type { Draft } from './draft.ts';
import { parametersFromSchema } from './parameter.ts';
import classes from './source-preview.module.css';
import { useMediaUrl } from './use-media-url.ts';

type Props = { draft: Draft; frame: MediaFrame; onChange: (values: Record<string, unknown>) => void };

/** The parameters that name a place in the frame. */
const placeNames = ['position', 'gravity'];

/** The places that a parameter of the recipe may have, over the frame: press one, or drag what is there to another. */
export function PlaceGrid({ draft: { recipe, parameters }, frame, onChange }: Props) {
  const parameter = parametersFromSchema(recipe.parameters).find(({ name }) => placeNames.includes(name));
  if (parameter === undefined) return null;
  const { name, defaultValue = 'center', choices } = parameter;
  const place = String(parameters[name] ?? defaultValue);
  const choose = (next: unknown) => onChange({ [name]: next === defaultValue ? undefined : next });
  return (
    <div className={classes.frame}>
      <div className={classes.layer} style={alignment(place)}>
        {recipe.name === 'watermark' ? (
          <Logo parameters={parameters} frame={frame} />
        ) : (
          <Crop parameters={parameters} frame={frame} />
        )}
      </div>
      {choices.map((each) => (
        <button
          key={String(each)}
          type="button"
          className={classes.place}
          style={{ gridArea: areaOf(String(each)) }}
          aria-label={labelFromCode(String(each))}
          aria-pressed={each === place}
          onPointerDown={({ currentTarget, pointerId }) => currentTarget.releasePointerCapture(pointerId)}
          onPointerEnter={({ buttons }) => buttons === 1 && choose(each)}
          onClick={() => choose(each)}
        />
      ))}
    </div>
  );
}

function partsOf(place: string): { row: number; column: number } {
  return {
    row: place.includes('top') ? 0 : place.includes('bottom') ? 2 : 1,
    column: place.includes('left') ? 0 : place.includes('right') ? 2 : 1,
  };
}

function areaOf(place: string): string {
  const { row, column } = partsOf(place);
  return `${row + 1} / ${column + 1}`;
}

function alignment(place: string): CSSProperties {
  const sides = ['flex-start', 'center', 'flex-end'] as const;
  const { row, column } = partsOf(place);
  return { alignItems: sides[row], justifyContent: sides[column] };
}

type LayerProps = Pick<Draft, 'parameters'> & { frame: MediaFrame };

/** The image as the result has it, or a box of its size until it is chosen. */
function Logo({ parameters: { image, opacity = 1, scale = 0.15, margin = 0.03 }, frame }: LayerProps) {
  const url = useMediaUrl(image);
  const marginPercent = (100 * Number(margin) * Math.min(frame.width, frame.height)) / frame.width;
  const style = { width: `${100 * Number(scale)}%`, opacity: Number(opacity), margin: `${marginPercent}%` };
  return url === undefined ? (
    <span className={classes.logo} style={style}>
      Logo
    </span>
  ) : (
    <img src={url} alt="" style={style} />
  );
}

/** What a crop keeps of the frame. */
function Crop({ parameters: { width, height }, frame }: LayerProps) {
  if (typeof width !== 'number' || typeof height !== 'number') return null;
  const isTaller = width / height < frame.width / frame.height;
  return (
    <span
      className={classes.crop}
      style={{ aspectRatio: `${width} / ${height}`, ...(isTaller ? { height: '100%' } : { width: '100%' }) }}
    />
  );
}
