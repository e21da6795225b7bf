import { expect, test } from 'vitest'
import { PROFILE_BREAKPOINTS, profilesBeside } from './profile-slider.ts'

test('A9-06 the profile slider’s breakpoints go from 280 to 1300 pixels, with more profiles at each', () => {
  expect(PROFILE_BREAKPOINTS[0].from).toBe(280)
  expect(PROFILE_BREAKPOINTS.at(-1)?.from).toBe(1300)
  const widths = [279, 280, 360, 479, 480, 820, 1280, 1299, 1300, 1920]
  expect(widths.map(profilesBeside)).toEqual([1, 2, 2, 2, 3, 4, 5, 5, 6, 6])
})
