import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { expect, test } from 'vitest'
import { appIcon, appManifest } from './app-manifest.ts'

const { brand, colors } = DEFAULT_CONFIGURATION
const manifestOf = (changes: Partial<typeof brand>) =>
  appManifest({ brand: { ...brand, ...changes }, colors: { ...colors, surface0: '#101820' } })

test('the installed app has the name, the colours and the icon of the configuration', () => {
  expect(manifestOf({ name: 'Rivages' })).toEqual({
    id: '/',
    name: 'Rivages',
    short_name: 'Rivages',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#101820',
    theme_color: '#101820',
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: '/app-icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
      { src: '/app-icon.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    ],
  })
})

test.each([
  ['https://cdn.test/logo.PNG?v=2', { type: 'image/png' }],
  ['data:image/webp;base64,UklGRg==', { type: 'image/webp' }],
  ['/logo', {}],
])('the icon %s keeps its address, and its type if the address says it', (icon, type) => {
  expect(manifestOf({ icon })).toHaveProperty('icons.0', { src: icon, sizes: 'any', ...type, purpose: 'any' })
})

test('a long name is not cut in the middle', () => {
  expect(manifestOf({ name: 'Le grand cinéma des rivages' })).not.toHaveProperty('short_name')
})

test('V3-55 without an icon the logo is the icon, on the background of the site where it is embedded', () => {
  const logos = (logo: string) => ({ logos: { ...brand.logos, logo } })
  expect(manifestOf(logos('data:image/png;base64,aGk='))).toMatchObject({
    icons: [
      { src: '/app-icon.svg', purpose: 'any' },
      { src: '/app-icon.svg', purpose: 'maskable' },
      { src: '/app-icon.png', purpose: 'any' },
    ],
  })
  const embedded = { ...brand, ...logos('data:image/svg+xml,<svg id="a&b"/>') }
  const icon = appIcon({ brand: embedded, colors: { ...colors, surface0: '#101820' } })
  expect(icon).toContain('fill="#101820"')
  expect(icon).toContain('href="data:image/svg+xml,&lt;svg id=&quot;a&amp;b&quot;/>"')
})

test('V3-55 a logo or an icon at an address is drawn as PNG, because an SVG cannot contain it', () => {
  const logos = { ...brand.logos, logo: 'https://cdn.test/logo.png' }
  const drawn = { src: '/app-icon.png', sizes: '512x512', type: 'image/png' }
  expect(manifestOf({ logos })).toHaveProperty('icons', [
    { ...drawn, purpose: 'any' },
    { ...drawn, purpose: 'maskable' },
  ])
  expect(manifestOf({ icon: 'https://cdn.test/icon.svg' })).toHaveProperty('icons', [
    { src: 'https://cdn.test/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { ...drawn, purpose: 'maskable' },
  ])
})
