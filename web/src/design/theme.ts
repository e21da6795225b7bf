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

/** What of the configuration the look depends on. */
export type ThemeConfiguration = Pick<Configuration, 'colors' | 'style'> & {
  home: Pick<Configuration['home'], 'titleSizes'>
}

/** Custom properties by their names. */
export type ThemeProperties = Record<`--${string}`, string>

/** Contrast that words need on what lies behind them (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5

/**
 * The custom properties that a configuration sets (V3-48): its colours with their readable counterparts, fonts, radii and
 * sizes of titles. Every colour of words comes with a contrast of at least 4.5 on every surface, and whatever stands
 * on a coloured ground as well: what an operator set is kept where it can be read, and else taken no further than it must.
 *
 * @throws RangeError for a colour that is none; the configuration's schema lets none through
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
 * The colours of what lies over a moving picture: films are watched in the dark, so that a light theme has a dark
 * counterpart there, in its own accent. Undefined for a theme that is dark anyway.
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
    // On a light ground a shadow need not be as deep to lift something.
    '--shadow': isDark ? '#000000' : '#00000059',
    // Title art is drawn for dark grounds as a rule: on a light one an edge keeps it readable.
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

/** `dark` or `light`, for what the browser draws itself, such as scroll bars. */
export function colorScheme({ surface0 }: Pick<ThemeConfiguration['colors'], 'surface0'>): 'dark' | 'light' {
  return inkFor(parseColor(surface0)) === WHITE ? 'dark' : 'light'
}

/** A font that an operator brings along, for a `@font-face` rule and to be fetched ahead. */
export interface OwnFont {
  family: string
  url: string
}

/** The fonts of a configuration that have a file of their own (V3-48). */
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

/** The style sheet that makes {@link themeProperties} and {@link ownFonts} hold for a page. */
export function themeStyleSheet(configuration: ThemeConfiguration): string {
  const faces = ownFonts(configuration.style).map(
    ({ family, url }) =>
      `@font-face{font-family:${quoted(ownFamily(family))};font-display:swap;font-weight:200 900;src:url(${quoted(url)}) format("woff2")}`,
  )
  // Stronger than the tokens' `:root`, whose sheet may come again with a part of the page that is loaded later.
  const cinema = cinemaProperties(configuration)
  const dark = cinema === undefined ? '' : `html [data-cinema]{${declared(cinema)};color-scheme:dark}`
  return `${faces.join('')}html:root{${declared(themeProperties(configuration))};color-scheme:${colorScheme(configuration.colors)}}${dark}`
}

function declared(properties: ThemeProperties): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
}

/** Surfaces and words of a dark room, the same as in a configuration in which nothing was set. */
const CINEMA = {
  surface0: '#080b10',
  surface1: '#0e131b',
  surface2: '#161d28',
  surface3: '#222c3a',
  text1: '#f3f6f9',
  text2: '#b3bdc9',
  text3: '#8795a5',
}

/** Words that say that something is wrong; no colour of the brand, because it must not be taken for one. */
const DANGER = '#ff9aa6'

const BUTTON_RADII = { pill: '999px', rounded: '12px', square: '0px' } as const

/** What stands in until a face is there. The own faces' stand-ins are fitted, so that no line moves (`fonts.css`). */
const FALLBACKS = {
  text: '"Figtree stand-in", "Figtree stand-in wide", sans-serif',
  display: '"Bricolage stand-in", "Bricolage stand-in wide", sans-serif',
  title: '"Bricolage narrow stand-in", "Bricolage narrow stand-in wide", sans-serif',
} as const

/**
 * An operator's file has a family of its own: where a font of that name comes with the service, the browser would go on taking
 * that for titles, whose width only it names.
 */
function ownFamily(name: string): string {
  return `Own ${name}`
}

function fontFamily(name: string, fallback: string): string {
  return `${quoted(name)}, ${fallback}`
}

/** A text in quotes for a style sheet within a page: nothing in it can end the text, the rule or the element. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\w /:.,;=?&%#+@~-]/g, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `)}"`
}

/** A contrast that a surface leaves to its ink before any colour of words is chosen. */
const ROOMY = 7

/**
 * The four surfaces. A step on which the same words could not be read as on the ground, because it lies on the other
 * side between light and dark, is replaced by one near the ground.
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

/** `color` as the colour of words on all of `grounds`, changed no further than it must. */
function readable(color: Rgb, grounds: readonly Rgb[]): Rgb {
  const [ground = BLACK] = grounds
  return towards(color, inkFor(ground), (candidate) =>
    grounds.every((each) => contrast(round(candidate), each) >= READABLE),
  )
}

/** Words on a coloured ground: dark with a touch of its hue, or white. */
function inkOn(ground: Rgb): Rgb {
  if (inkFor(ground) === WHITE) return WHITE
  const { hue, saturation } = toHsl(ground)
  const dark = fromHsl({ hue, saturation: saturation > 0.1 ? 0.78 : saturation, lightness: 0.0725 })
  return contrast(round(dark), ground) >= READABLE ? dark : BLACK
}

/**
 * The ground of a signal and its words. White words look most like a signal: where the colour is nearly dark enough for
 * them it is darkened, and a light one gets dark words.
 */
function signalGround(color: Rgb): { ground: Rgb; ink: Rgb } {
  if (contrast(WHITE, color) < 3) return { ground: color, ink: inkOn(color) }
  const { hue, saturation, lightness } = toHsl(color)
  // Full saturation, darkened, turns garish.
  const tone = contrast(WHITE, color) >= READABLE ? saturation : Math.min(saturation, 0.75)
  let ground = fromHsl({ hue, saturation: tone, lightness })
  for (let percent = lightness * 100; contrast(WHITE, round(ground)) < READABLE; percent--) {
    ground = fromHsl({ hue, saturation: tone, lightness: percent / 100 })
  }
  return { ground, ink: WHITE }
}

/** A button under the pointer: lighter, and darker only where lighter would cost its words their contrast. */
function lit(color: Rgb): Rgb {
  if (inkFor(color) === BLACK) return mix(color, WHITE, 0.33)
  const lighter = mix(color, WHITE, 0.12)
  return contrast(WHITE, round(lighter)) >= READABLE ? lighter : mix(color, BLACK, 0.15)
}

/** A colour as it will be written. Contrast is measured on that. */
function round({ r, g, b }: Rgb): Rgb {
  return { r: Math.round(r), g: Math.round(g), b: Math.round(b) }
}
