import { expect, it } from 'vitest'
import { commandLine } from './command-line.ts'

it('splits its literal text at spaces', () => {
  expect(commandLine`-v error\n  -i a.mp4`).toEqual(['-v', 'error', '-i', 'a.mp4'])
  expect(commandLine``).toEqual([])
})

it('never splits an inserted value', () => {
  const path = `/a film; rm -rf "$HOME"\n-i.mp4`
  expect(commandLine`-i file:${path} -t ${5}`).toEqual(['-i', `file:${path}`, '-t', '5'])
  expect(commandLine`${''} ${'a b'}${'c'}`).toEqual(['', 'a bc'])
})
