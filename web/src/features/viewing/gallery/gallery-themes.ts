import type { ThemeConfiguration } from '../../../design/tokens/theme.ts'

/**
 * Examples of operators' themes. The colours of the last theme would make texts unreadable if the service did not
 * correct them.
 */
export const THEMES = ['own', 'amber', 'navy', 'light', 'clash'] as const

/** A name from {@link THEMES}. */
export type ThemeName = (typeof THEMES)[number]

type Colors = ThemeConfiguration['colors']

const CHANGES: Record<ThemeName, { colors?: Partial<Colors>; style?: Partial<ThemeConfiguration['style']> }> =
  {
    own: {},
    amber: {
      colors: {
        accent: '#ffb02e',
        surface0: '#100c08',
        surface1: '#19130d',
        surface2: '#251c13',
        surface3: '#36291c',
      },
      style: { buttonShape: 'rounded', cardRadius: 4 },
    },
    navy: {
      colors: { accent: '#1b2f8f', surface0: '#000000' },
      style: { buttonShape: 'square', cardRadius: 0 },
    },
    light: {
      colors: {
        accent: '#0b6e5f',
        surface0: '#f7f5f0',
        surface1: '#ffffff',
        surface2: '#efece4',
        surface3: '#e2ddd1',
        text1: '#14181c',
        text2: '#404851',
        text3: '#68717b',
      },
      style: { cardRadius: 18 },
    },
    clash: {
      colors: {
        accent: '#20242c',
        text1: '#101010',
        text2: '#1a1a1a',
        text3: '#222222',
        surface3: '#f0f0f0',
        live: '#fff200',
      },
    },
  }

/** Returns the service's configuration with the changes of a theme. */
export function changedTheme(configuration: ThemeConfiguration, name: ThemeName): ThemeConfiguration {
  const { colors, style } = CHANGES[name]
  return {
    home: configuration.home,
    colors: { ...configuration.colors, ...colors },
    style: { ...configuration.style, ...style },
  }
}
