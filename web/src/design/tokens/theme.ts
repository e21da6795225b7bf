import type { Configuration } from '@ondine/contract/configuration'
import {
  BLACK,
  contrast,
  fromHsl,
  hex,
  inkFor,
  mix,
  parseColor,
  type Rgb,
  toHsl,
  towards,
  WHITE,
} from './color.ts'
import { titleProperties } from './layouts.ts'

/** The part of the configuration that affects the look. */
export type ThemeConfiguration = Pick<Configuration, 'colors' | 'style'> & {
  home: Pick<Configuration['home'], 'titleSizes'>
}

/** Custom properties by their names. */
export type ThemeProperties = Record<`--${string}`, string>

/** The minimum contrast of text with its background (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5

/**
 * Returns the custom properties of a configuration (V3-48): its colours, text colours that are readable on them,
 * fonts, radii and title sizes. Every text colour has a contrast of at least 4.5 on every surface and coloured
 * background. An operator's colour is unchanged if it is readable, and otherwise changed as little as necessary.
 *
 * @throws RangeError for an invalid colour; the configuration's schema rejects these
 */
export function themeProperties({ colors, style, home }: ThemeConfiguration): ThemeProperties {
  const own = new Set(ownFonts(style).map(({ family }) => family))
  const named = (family: string) => (own.has(family) ? ownFamily(family) : family)
  return {
    ...colorProperties(colors),
    '--font-text': fontFamily(named(style.textFont), FALLBACKS.text),
    '--font-display': fontFamily(named(style.displayFont), FALLBACKS.display),
    '--font-title': fontFamily(named(style.displayFont), FALLBACKS.title),
    '--radius-card': `${style.cardRadius}px`,
    '--radius-panel': `${style.panelRadius}px`,
    '--radius-button': BUTTON_RADII[style.buttonShape],
    ...titleProperties('--title-hero', home.titleSizes.hero),
    ...titleProperties('--title-fullscreen', home.titleSizes.fullscreen),
    ...titleProperties('--title-rail', home.titleSizes.rail),
    ...titleProperties('--title-poster', home.titleSizes.poster),
    ...titleProperties('--title-poster-detail', home.titleSizes.posterDetail),
    ...titleProperties('--title-cover', home.titleSizes.cover),
    ...titleProperties('--title-totem', home.titleSizes.totem),
  }
}

/**
 * Returns the colours of overlays on a video. Viewers watch films in the dark, so a light theme gets dark overlays
 * with a separate accent colour. Returns undefined for a dark theme.
 */
export function cinemaProperties({
  colors,
}: Pick<ThemeConfiguration, 'colors'>): ThemeProperties | undefined {
  if (colorScheme(colors) === 'dark') return undefined
  return colorProperties({ ...colors, ...CINEMA })
}

function colorProperties(colors: ThemeConfiguration['colors']): ThemeProperties {
  const surfaces = readableSurfaces(colors)
  const [ground, ...steps] = surfaces
  const isDark = inkFor(ground) === WHITE
  const ink = isDark ? '#ffffff' : '#000000'
  const words = (color: string) => hex(readable(parseColor(color, ground), surfaces))
  const accent = parseColor(colors.accent, ground)
  const live = signalGround(parseColor(colors.live, ground))
  const warning = parseColor(colors.warning, ground)
  return {
    '--surface-0': hex(ground),
    ...Object.fromEntries(steps.map((step, index) => [`--surface-${index + 1}`, hex(step)])),
    '--surface-0-clear': `${hex(ground)}00`,
    '--glass': `${ink}24`,
    '--glass-strong': `${ink}38`,
    '--line': `${ink}1f`,
    '--tint': `${ink}14`,
    '--tint-strong': `${ink}40`,
    '--outline': `${ink}70`,
    // On a light background, a lighter shadow is enough to make an element look raised.
    '--shadow': isDark ? '#000000' : '#00000059',
    // Title images are usually drawn for dark backgrounds. On a light background, a dark outline keeps them
    // readable.
    '--art-edge': isDark ? 'none' : 'drop-shadow(0 0 1px #000000) drop-shadow(0 0 10px #00000099)',
    '--text-1': words(colors.text1),
    '--text-2': words(colors.text2),
    '--text-3': words(colors.text3),
    '--accent': hex(accent),
    '--accent-lit': hex(lit(accent)),
    '--on-accent': hex(inkOn(accent)),
    '--accent-text': words(colors.accent),
    '--live': hex(parseColor(colors.live, ground)),
    '--live-ground': hex(live.ground),
    '--on-live': hex(live.ink),
    '--live-text': words(colors.live),
    '--amber': hex(warning),
    '--on-amber': hex(inkOn(warning)),
    '--amber-text': words(colors.warning),
    '--danger': words(DANGER),
    '--focus': ink,
  }
}

/** Returns `dark` or `light`, for the browser's own controls, such as scroll bars. */
export function colorScheme({ surface0 }: Pick<ThemeConfiguration['colors'], 'surface0'>): 'dark' | 'light' {
  return inkFor(parseColor(surface0)) === WHITE ? 'dark' : 'light'
}

/** An operator's font with its own file, for a `@font-face` rule and a preload. */
export interface OwnFont {
  family: string
  url: string
}

/** Returns the fonts of a configuration that have their own files (V3-48). */
export function ownFonts({
  textFont,
  textFontFile,
  displayFont,
  displayFontFile,
}: ThemeConfiguration['style']): OwnFont[] {
  const fonts = [
    { family: textFont, url: textFontFile },
    { family: displayFont, url: displayFontFile },
  ].filter(({ url }) => url !== '')
  return fonts.filter(({ family }, index) => fonts.findIndex((other) => other.family === family) === index)
}

/** Returns the style sheet that applies {@link themeProperties} and {@link ownFonts} to a page. */
export function themeStyleSheet(configuration: ThemeConfiguration): string {
  const faces = ownFonts(configuration.style).map(
    ({ family, url }) =>
      `@font-face{font-family:${quoted(ownFamily(family))};font-display:swap;font-weight:200 900;src:url(${quoted(url)}) format("woff2")}`,
  )
  // The selector is more specific than `:root` in `tokens.css`, because `tokens.css` can load again with a later
  // part of the page and must not override the theme.
  const cinema = cinemaProperties(configuration)
  const dark = cinema === undefined ? '' : `html [data-cinema]{${declared(cinema)};color-scheme:dark}`
  return `${faces.join('')}html:root{${declared(themeProperties(configuration))};color-scheme:${colorScheme(configuration.colors)}}${dark}`
}

function declared(properties: ThemeProperties): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
}

/** Dark surfaces and their text colours, identical to the default configuration. */
const CINEMA = {
  surface0: '#080b10',
  surface1: '#0e131b',
  surface2: '#161d28',
  surface3: '#222c3a',
  text1: '#f3f6f9',
  text2: '#b3bdc9',
  text3: '#8795a5',
}

/** Text colour of errors. It is the same in every theme, so that nobody mistakes it for a brand colour. */
const DANGER = '#ff9aa6'

const BUTTON_RADII = { pill: '999px', rounded: '12px', square: '0px' } as const

/**
 * Local fallback fonts until a font arrives. The fallbacks of Ondine's own fonts have the metrics of these fonts,
 * so that no line moves (`fonts.css`).
 */
const FALLBACKS = {
  text: '"Figtree stand-in", "Figtree stand-in wide", sans-serif',
  display: '"Bricolage stand-in", "Bricolage stand-in wide", sans-serif',
  title: '"Bricolage narrow stand-in", "Bricolage narrow stand-in wide", sans-serif',
} as const

/**
 * Returns another family name for an operator's font file. With the name of one of Ondine's own fonts, the browser
 * would use Ondine's font for titles, because only Ondine's font declares the width that titles use.
 */
function ownFamily(name: string): string {
  return `Own ${name}`
}

function fontFamily(name: string, fallback: string): string {
  return `${quoted(name)}, ${fallback}`
}

/**
 * Quotes a string for a style sheet in a `style` element. Escapes all characters that could end the string, the
 * rule or the element.
 */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\w /:.,;=?&%#+@~-]/g, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `)}"`
}

/**
 * Minimum contrast of a surface with black or white text. It exceeds {@link READABLE}, so that there are also
 * coloured text colours that are readable.
 */
const ROOMY = 7

/**
 * Returns the four surface colours. All must be dark, or all light, because the same text colours are used on all
 * of them. A surface with too little contrast to the text is replaced by a colour near the background.
 */
function readableSurfaces(colors: ThemeConfiguration['colors']): [Rgb, Rgb, Rgb, Rgb] {
  const ground = parseColor(colors.surface0)
  const ink = inkFor(ground)
  const away = ink === WHITE ? BLACK : WHITE
  const least = Math.min(ROOMY, contrast(ink, ground))
  const step = (color: string, share: number): Rgb => {
    const set = parseColor(color, ground)
    if (contrast(ink, set) >= least) return set
    const near = mix(ground, ink, share)
    return contrast(ink, near) >= least ? near : mix(ground, away, share)
  }
  return [ground, step(colors.surface1, 0.04), step(colors.surface2, 0.08), step(colors.surface3, 0.14)]
}

/** Changes `color` as little as necessary for it to be readable on all of `grounds`. */
function readable(color: Rgb, grounds: readonly Rgb[]): Rgb {
  const [ground = BLACK] = grounds
  return towards(color, inkFor(ground), (candidate) =>
    grounds.every((each) => contrast(round(candidate), each) >= READABLE),
  )
}

/**
 * Returns the text colour for a coloured background: white, or a dark colour with a tint of the background's hue.
 */
function inkOn(ground: Rgb): Rgb {
  if (inkFor(ground) === WHITE) return WHITE
  const { hue, saturation } = toHsl(ground)
  const dark = fromHsl({ hue, saturation: saturation > 0.1 ? 0.78 : saturation, lightness: 0.0725 })
  return contrast(round(dark), ground) >= READABLE ? dark : BLACK
}

/**
 * Returns the background and the text colour of a signal, such as a live tag. White text on a strong colour is
 * most noticeable, so a colour that is nearly dark enough for white text is darkened. A light colour gets dark
 * text.
 */
function signalGround(color: Rgb): { ground: Rgb; ink: Rgb } {
  if (contrast(WHITE, color) < 3) return { ground: color, ink: inkOn(color) }
  const { hue, saturation, lightness } = toHsl(color)
  // Limits the saturation, because a fully saturated colour looks garish when it is darkened.
  const tone = contrast(WHITE, color) >= READABLE ? saturation : Math.min(saturation, 0.75)
  let ground = fromHsl({ hue, saturation: tone, lightness })
  for (let percent = lightness * 100; contrast(WHITE, round(ground)) < READABLE; percent--) {
    ground = fromHsl({ hue, saturation: tone, lightness: percent / 100 })
  }
  return { ground, ink: WHITE }
}

/**
 * Returns the colour of a hovered button: a lighter colour, or a darker one if the text would not be readable on
 * the lighter one.
 */
function lit(color: Rgb): Rgb {
  if (inkFor(color) === BLACK) return mix(color, WHITE, 0.33)
  const lighter = mix(color, WHITE, 0.12)
  return contrast(WHITE, round(lighter)) >= READABLE ? lighter : mix(color, BLACK, 0.15)
}

/** Rounds a colour to the values in the style sheet, so that contrast is computed from the real values. */
function round({ r, g, b }: Rgb): Rgb {
  return { r: Math.round(r), g: Math.round(g), b: Math.round(b) }
}
