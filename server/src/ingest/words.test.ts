import { expect, it } from 'vitest'
import { words } from './words.ts'

it('splits its literal text at spaces', () => {
  expect(words`-v error\n  -i a.mp4`).toEqual(['-v', 'error', '-i', 'a.mp4'])
  expect(words``).toEqual([])
})

it('never splits an inserted value', () => {
  const path = `/a film; rm -rf "$HOME"\n-i.mp4`
  expect(words`-i file:${path} -t ${5}`).toEqual(['-i', `file:${path}`, '-t', '5'])
  expect(words`${''} ${'a b'}${'c'}`).toEqual(['', 'a bc'])
})
