import * as z from 'zod'
import {
  color,
  fontFamily,
  interfaceLanguage,
  languageCode,
  resource,
  section,
  whole,
  words,
} from './configuration-fields.ts'
import { LOGO_VARIANTS } from './configuration-values.ts'

/** Name and logos (V1-01, V3-55). */
export const brand = section({
  name: z.string().max(60).default('').describe('Name of the service; empty for the name of the storefront.'),
  tagline: words.default({}).describe('Text after the name in titles, by language.'),
  logos: section({
    full: resource
      .default('')
      .describe('Logo for wide places, 160 by 36 px; empty for the word mark (V3-55).'),
    compact: resource
      .default('')
      .describe('Logo for narrow bars, 97 by 32 px; empty for the word mark (V3-55).'),
    logo: resource.default('').describe('Logo without text, 48 by 32 px; empty for the wave (V3-55).'),
  }),
  barLogo: z.enum(LOGO_VARIANTS).default('full').describe('Logo variant of the navigation bar (V3-55).'),
  narrowLogo: z
    .enum(LOGO_VARIANTS)
    .default('compact')
    .describe('Logo variant of the bar up to 820 px (V3-55).'),
  footerLogo: z.enum(LOGO_VARIANTS).default('full').describe('Logo variant of the footer (V3-55).'),
  icon: resource
    .default('')
    .describe(
      'Icon of the site in the browser and on home screens, square; empty for `logos.logo`, or else the wave. Home screens show the logo only if it is a data:image.',
    ),
})

/**
 * Colours of the interface (V3-48). The service computes the colours of texts, so that they have enough contrast.
 */
export const colors = section({
  surface0: color.default('#080b10').describe('Background of the page (V3-48).'),
  surface1: color.default('#0e131b').describe('First level above the background (V3-48).'),
  surface2: color.default('#161d28').describe('Second level above the background (V3-48).'),
  surface3: color.default('#222c3a').describe('Third level above the background (V3-48).'),
  text1: color.default('#f3f6f9').describe('Text (V3-48).'),
  text2: color.default('#b3bdc9').describe('Secondary text (V3-48).'),
  text3: color.default('#8593a3').describe('Tertiary text (V3-48).'),
  accent: color.default('#8fe9d6').describe('Buttons, progress and selected items (V3-48).'),
  live: color.default('#ff4d61').describe('Live content (V3-48).'),
  warning: color.default('#ffbe5c').describe('Warnings and content that leaves soon (V3-48).'),
})

/** Shapes and fonts of the interface (V3-48). */
export const style = section({
  textFont: fontFamily.default('Figtree').describe('Font of texts (V3-48).'),
  textFontFile: resource
    .default('')
    .describe('WOFF2 file of that font; empty for a font that the service includes.'),
  displayFont: fontFamily.default('Bricolage Grotesque').describe('Font of titles (V3-48).'),
  displayFontFile: resource
    .default('')
    .describe('WOFF2 file of that font; empty for a font that the service includes.'),
  cardRadius: whole(0, 40).default(10).describe('Radius of the corners of cards, in px (V3-48).'),
  panelRadius: whole(0, 40).default(16).describe('Radius of the corners of panels, in px (V3-48).'),
  buttonShape: z.enum(['pill', 'rounded', 'square']).default('pill').describe('Shape of buttons (V3-48).'),
})

/** Metadata of pages that do not define their own (V2.4-25). */
export const seo = section({
  title: words.default({}).describe('Title of a page without one, by language (V2.4-25).'),
  description: words.default({}).describe('Description of a page without one, by language (V2.4-25).'),
  image: resource.default('').describe('Picture of a page without one, for links on other sites.'),
  indexed: z.boolean().default(true).describe('Whether search engines may list the pages.'),
})

/** Languages and dates (V3-51, spec 8 and 13). */
export const languages = section({
  languages: z
    .array(interfaceLanguage)
    .min(1)
    .max(20)
    .refine((codes) => new Set(codes).size === codes.length, 'must have each language once')
    .default(['fra', 'eng'])
    .describe('Languages that viewers may choose (V3-51).'),
  default: interfaceLanguage.default('fra').describe('Language when nothing selects another (V1-14).'),
  dateFormats: z
    .record(languageCode, z.string().min(1).max(40))
    .default({})
    .describe('Date format by language, such as DD/MM/YYYY; else YYYY-MM-DD for fra and YYYY-DD-MM (V3-51).'),
  urlPrefix: z
    .boolean()
    .default(false)
    .describe('Whether addresses begin with the language: /en/… (V2.3-08).'),
  redirectRoot: z
    .boolean()
    .default(false)
    .describe('With urlPrefix: whether / redirects to the prefix of the language (V2.3-08).'),
  detectBrowserLanguage: z
    .boolean()
    .default(false)
    .describe("Whether a first visit uses the browser's language (V2.3-08)."),
})
