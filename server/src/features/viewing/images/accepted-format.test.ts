import { expect, it } from 'vitest'
import { acceptedFormat } from './accepted-format.ts'

it.each([
  ['Chromium', 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif'],
  ['an older Safari', 'image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', 'webp'],
  ['a program that takes anything', '*/*', 'jpeg'],
  ['a program that takes any picture', 'image/*', 'jpeg'],
  ['one that says nothing', undefined, 'jpeg'],
  ['one that refuses AVIF', 'image/avif;q=0, image/webp;q=0.4', 'webp'],
  ['one that shouts', 'IMAGE/AVIF; Q=1', 'avif'],
  ['one that talks nonsense', ';;q=,image/avif;q=x', 'jpeg'],
])('%s gets the smallest format that it accepts', (_, accept, format) => {
  expect(acceptedFormat(accept)).toBe(format)
})
