import { readFileSync } from 'node:fs'
import { configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast, parseColor } from './color.ts'
import {
  cinemaProperties,
  colorScheme,
  ownFonts,
  READABLE,
  type ThemeProperties,
  themeProperties,
  themeStyleSheet,
} from './theme.ts'

type Colors = Partial<(typeof DEFAULT_CONFIGURATION)['colors']>

function theme(colors: Colors): ThemeProperties {
  return themeProperties({ ...DEFAULT_CONFIGURATION, colors: { ...DEFAULT_CONFIGURATION.colors, ...colors } })
}

function ratio(properties: ThemeProperties, word: `--${string}`, ground: `--${string}`): number {
  return contrast(parseColor(properties[word] ?? ''), parseColor(properties[ground] ?? ''))
}

const SURFACES = ['--surface-0', '--surface-1', '--surface-2', '--surface-3'] as const
const WORDS = [
  '--text-1',
  '--text-2',
  '--text-3',
  '--accent-text',
  '--live-text',
  '--amber-text',
  '--danger',
] as const
const GROUNDS = [
  ['--on-accent', '--accent'],
  ['--on-accent', '--accent-lit'],
  ['--on-live', '--live-ground'],
  ['--on-amber', '--amber'],
] as const

function unreadable(properties: ThemeProperties): string[] {
  const pairs = [...WORDS.flatMap((word) => SURFACES.map((surface) => [word, surface] as const)), ...GROUNDS]
  return pairs
    .filter(([word, ground]) => ratio(properties, word, ground) < READABLE)
    .map(([word, ground]) => `${word} ${properties[word]} on ${ground} ${properties[ground]}`)
}

const anyColor = fc
  .tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`)

describe('colours', () => {
  test('V3-48 the defaults equal those of the style sheet, so that nothing changes when they arrive', () => {
    const sheet = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
    const properties = themeProperties(DEFAULT_CONFIGURATION)
    const differing = Object.entries(properties).filter(([name, value]) => {
      const [, written] = new RegExp(`^ *${name}:\\s*([^;]+);`, 'm').exec(sheet) ?? []
      const fallback = sheet.includes(`var(${name}, ${value})`)
      return written?.replaceAll(/\s+/g, ' ') !== value && !fallback
    })
    expect(differing).toEqual([])
  })

  test("V3-48 an operator's colours are kept where they are readable", () => {
    const properties = theme({ accent: '#ff8a00', surface0: '#101010', text1: '#eeeeee' })
    expect(properties).toMatchObject({
      '--accent': '#ff8a00',
      '--accent-text': '#ff8a00',
      '--surface-0': '#101010',
      '--text-1': '#eeeeee',
    })
  })

  test.each([
    ['dark accent', { accent: '#1a1a6e' }],
    ['the background as the accent', { accent: '#080b10' }],
    ['mid-grey accent', { accent: '#777777' }],
    ['white accent', { accent: '#fff' }],
    ['translucent accent', { accent: '#8fe9d610' }],
    ['text in the colour of the background', { text1: '#080b10', text2: '#080b10', text3: '#080b10' }],
    ['light background with light text', { surface0: '#ffffff' }],
    ['mid-grey background', { surface0: '#767676' }],
    [
      'light surfaces on a dark background',
      { surface1: '#ffffff', surface2: '#eeeeee', surface3: '#808080' },
    ],
    ['yellow signal', { live: '#ffee00' }],
    ['dark signal and warning', { live: '#300008', warning: '#201000' }],
  ] satisfies [string, Colors][])('V3-48 %s: all text is readable', (_name, colors) => {
    expect(unreadable(theme(colors))).toEqual([])
  })

  test('V3-48 all text is readable, whatever colours an operator sets', () => {
    const fields = Object.keys(DEFAULT_CONFIGURATION.colors) as (keyof Colors)[]
    fc.assert(
      fc.property(fc.array(anyColor, { minLength: fields.length, maxLength: fields.length }), (set) => {
        const colors = Object.fromEntries(fields.map((field, index) => [field, set[index]])) as Colors
        expect(unreadable(theme(colors))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('V3-48 over a film a light theme is dark with its own accent, and readable', () => {
    const { colors } = DEFAULT_CONFIGURATION
    expect(cinemaProperties({ colors })).toBeUndefined()
    expect(themeStyleSheet(DEFAULT_CONFIGURATION)).not.toContain('data-cinema')
    const light = { ...colors, surface0: '#faf7f0', surface1: '#ffffff', text1: '#111111', accent: '#8a1538' }
    const cinema = cinemaProperties({ colors: light })
    expect(cinema).toMatchObject({ '--surface-0': colors.surface0, '--accent': '#8a1538' })
    expect(unreadable(cinema ?? {})).toEqual([])
    const dark = themeProperties(DEFAULT_CONFIGURATION)
    for (const name of [...SURFACES, '--text-1', '--text-2', '--text-3'] as const)
      expect(cinema?.[name], name).toBe(dark[name])
    expect(themeStyleSheet({ ...DEFAULT_CONFIGURATION, colors: light })).toContain('[data-cinema]{')
  })

  test('V3-48 title art, which is drawn for dark backgrounds, has an edge on a light background only, and none over a film', () => {
    const colors = { ...DEFAULT_CONFIGURATION.colors, surface0: '#ffffff' }
    expect(theme({})['--art-edge']).toBe('none')
    expect(theme(colors)['--art-edge']).toContain('drop-shadow')
    expect(cinemaProperties({ colors })?.['--art-edge']).toBe('none')
  })

  test('the focus ring stands out from the background', () => {
    fc.assert(
      fc.property(anyColor, (surface0) => {
        expect(ratio(theme({ surface0 }), '--focus', '--surface-0')).toBeGreaterThan(3)
      }),
    )
  })

  test.each(['red', '#12345', '', 'url(x)', '#ggg'])('rejects %j as a colour', (accent) => {
    expect(() => theme({ accent })).toThrow(RangeError)
    expect(configuration.safeParse({ colors: { accent } }).success).toBe(false)
  })

  test("the browser's own controls match the theme", () => {
    expect(colorScheme({ surface0: '#080b10' })).toBe('dark')
    expect(colorScheme({ surface0: '#fafafa' })).toBe('light')
  })
})

describe('form', () => {
  test('V5-04 V9-14 title sizes reach the style sheet within their limits', () => {
    const { home } = DEFAULT_CONFIGURATION
    const titleSizes = { ...home.titleSizes, hero: 500, rail: 3 }
    expect(themeProperties({ ...DEFAULT_CONFIGURATION, home: { titleSizes } })).toMatchObject({
      '--title-hero-wide': '200px',
      '--title-hero-narrow': '160px',
      '--title-rail-wide': '12px',
      '--title-rail-narrow': '12px',
    })
    expect(themeProperties(DEFAULT_CONFIGURATION)).toMatchObject({
      '--title-hero-wide': '52px',
      '--title-fullscreen-wide': '52px',
      '--title-rail-wide': '40px',
      '--title-poster-wide': '20px',
      '--title-poster-detail-wide': '20px',
      '--title-cover-wide': '20px',
      '--title-totem-wide': '20px',
    })
  })

  test('V3-48 corners and buttons take the configured shape', () => {
    const { style } = configuration.parse({ style: { cardRadius: 0, panelRadius: 4, buttonShape: 'square' } })
    expect(themeProperties({ ...DEFAULT_CONFIGURATION, style })).toMatchObject({
      '--radius-card': '0px',
      '--radius-panel': '4px',
      '--radius-button': '0px',
    })
  })

  test('V3-48 a font with a file of its own is declared once', () => {
    const { style } = configuration.parse({
      style: {
        textFont: 'Brand Face',
        textFontFile: '/fonts/own.woff2',
        displayFont: 'Brand Face',
        displayFontFile: '/fonts/own.woff2',
      },
    })
    expect(ownFonts(style)).toEqual([{ family: 'Brand Face', url: '/fonts/own.woff2' }])
    const sheet = themeStyleSheet({ ...DEFAULT_CONFIGURATION, style })
    expect(sheet.match(/@font-face/g)).toHaveLength(1)
    expect(sheet).toContain('url("/fonts/own.woff2")')
    expect(sheet).toContain('@font-face{font-family:"Own Brand Face"')
    expect(sheet).toContain('--font-text:"Own Brand Face", ')
    expect(sheet).toContain('--font-title:"Own Brand Face", ')
    expect(ownFonts(DEFAULT_CONFIGURATION.style)).toEqual([])
  })

  test('no configured value can break out of the style sheet', () => {
    const url = '/x.woff2")}</style><script>alert(1)</script>'
    const style = { ...DEFAULT_CONFIGURATION.style, textFont: 'A"}*{', textFontFile: url }
    const sheet = themeStyleSheet({ ...DEFAULT_CONFIGURATION, style })
    expect(sheet).not.toContain('<')
    expect(sheet.match(/\{/g)).toHaveLength(2)
    expect(sheet.match(/"/g)?.length).toBe(
      (themeStyleSheet(DEFAULT_CONFIGURATION).match(/"/g)?.length ?? 0) + 6,
    )
  })
})
