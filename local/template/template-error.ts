/** Where in a template something stands. `property` is a path such as `Targets.0.Arn`. */
export type TemplateLocation = { stack: string; logicalId: string; type: string; property?: string };

/** A template that the local stage cannot run as written; the message names the resource and the property. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(place: TemplateLocation, message: string, options?: { cause?: unknown }) {
    const property = place.property ? `, property ${place.property}` : '';
    super(
      `${place.stack}: resource ${place.logicalId} of type ${place.type}${property}: ${message}`,
      options,
    );
  }
}
