import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { expect, test } from 'vitest'
import { appManifest } from './app-manifest.ts'

const { brand, colors } = DEFAULT_CONFIGURATION
const manifestOf = (changes: Partial<typeof brand>) =>
  appManifest({ brand: { ...brand, ...changes }, colors: { ...colors, surface0: '#101820' } }, '/icon.svg')

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
    icons: [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  })
})

test.each([
  ['https://cdn.test/logo.PNG?v=2', { type: 'image/png' }],
  ['data:image/webp;base64,UklGRg==', { type: 'image/webp' }],
  ['/logo', {}],
])('the icon %s keeps its address, and its type if the address says it', (icon, type) => {
  expect(manifestOf({ icon })).toMatchObject({ icons: [{ src: icon, sizes: 'any', ...type }] })
})

test('a long name is not cut in the middle', () => {
  expect(manifestOf({ name: 'Le grand cinéma des rivages' })).not.toHaveProperty('short_name')
})
