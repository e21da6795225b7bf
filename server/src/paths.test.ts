import { describe, expect, it } from 'vitest'
import { joinInside, PathError } from './paths.ts'

describe('joinInside', () => {
  it('joins names below the base', () => {
    expect(joinInside('/data/media', 'abc', '1.m4s')).toBe('/data/media/abc/1.m4s')
    expect(joinInside('/data/media', '..hidden')).toBe('/data/media/..hidden')
  })

  it.each([
    [['..']],
    [['a', '..', '..', 'b']],
    [['/etc/passwd']],
    [['a\0b']],
    [['']],
    [['.']],
    [['../media2/x']],
  ])('refuses %j', (leaves) => {
    expect(() => joinInside('/data/media', ...leaves)).toThrow(PathError)
  })
})
