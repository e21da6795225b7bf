import { escapeUTF8 } from 'entities/escape'
import { SaxesParser, type SaxesTagPlain } from 'saxes'

/**
 * Elements that an icon may contain: shapes, their groups and their colours. No text, no pictures, no styles, no
 * scripts.
 */
const ELEMENTS = new Set([
  'svg',
  'g',
  'title',
  'desc',
  'defs',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
])

const ATTRIBUTES = new Set(
  `viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points id transform opacity color
  fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray
  stroke-dashoffset stroke-opacity vector-effect clip-path clip-rule clipPathUnits gradientUnits gradientTransform
  spreadMethod offset stop-color stop-opacity preserveAspectRatio aria-label aria-hidden role`.split(/\s+/),
)

const LIMITS = { bytes: 200_000, elements: 2000, depth: 40 } as const

const NAMESPACE = 'http://www.w3.org/2000/svg'

/** Reason why a file is no usable icon. */
export class SvgError extends Error {
  override name = 'SvgError'
}

/**
 * Rewrites an SVG picture from a closed list of elements and attributes. Everything else is removed: scripts,
 * event handlers, styles, links, embedded pictures and documents, references to other files.
 *
 * @throws {SvgError} when the picture is not SVG, is broken or too large, or declares a document type
 * (entities)
 */
export function safeSvg(source: string): string {
  if (Buffer.byteLength(source) > LIMITS.bytes) throw new SvgError('It is too large.')
  const parser = new SaxesParser()
  const written: string[] = []
  let depth = 0
  let elements = 0
  /** Depth of the element that is being removed with its content; infinity if no element is being removed. */
  let outside = Number.POSITIVE_INFINITY

  parser.on('doctype', () => fail('It declares a document type.'))
  parser.on('error', (error) => fail(error.message))
  parser.on('opentag', (tag) => {
    depth++
    if (++elements > LIMITS.elements || depth > LIMITS.depth) fail('It has too many elements.')
    if (depth === 1 && tag.name !== 'svg') fail('It is not SVG.')
    if (depth > outside) return
    if (!ELEMENTS.has(tag.name) || (tag.name === 'svg' && depth > 1)) outside = depth
    else written.push(opening(tag, depth === 1))
  })
  parser.on('text', (text) => {
    if (depth > 0 && depth < outside) written.push(escapeUTF8(text))
  })
  parser.on('closetag', (tag) => {
    if (depth < outside) written.push(`</${tag.name}>`)
    else if (depth === outside) outside = Number.POSITIVE_INFINITY
    depth--
  })
  try {
    parser.write(source).close()
  } catch (error) {
    if (error instanceof SvgError) throw error
    throw new SvgError(error instanceof Error ? error.message : 'It is broken.', { cause: error })
  }
  if (elements === 0) fail('It is empty.')
  return written.join('')
}

function opening({ name, attributes }: SaxesTagPlain, isRoot: boolean): string {
  const kept = Object.entries(attributes)
    .filter(([attribute, value]) => ATTRIBUTES.has(attribute) && leadsNowhere(value))
    .map(([attribute, value]) => ` ${attribute}="${escapeUTF8(value)}"`)
  return `<${name}${isRoot ? ` xmlns="${NAMESPACE}"` : ''}${kept.join('')}>`
}

/** Returns whether a value has no external reference. The value may only refer to a part of the same picture. */
function leadsNowhere(value: string): boolean {
  return !/[\\]|url\(\s*(?!#)|javascript:|data:|expression\(/i.test(value)
}

function fail(reason: string): never {
  throw new SvgError(reason)
}
