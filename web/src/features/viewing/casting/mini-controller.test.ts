// @vitest-environment happy-dom
import type { CastCommand, Screen } from '@ondine/contract/casting'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentCast, leaveCast } from './cast-session.ts'
import type { CastTarget, TargetState } from './cast-target.ts'
import MiniController from './mini-controller.tsx'
import { REPORTED } from './test-screen.ts'

const PROFILE = 5

/** The service: what it knows of the screens, and the commands that it has received. */
const service = vi.hoisted(() => ({
  screens: [] as readonly Screen[],
  commands: [] as CastCommand['type'][],
  heard: undefined as ((state: TargetState | null) => void) | undefined,
}))

vi.mock('@tanstack/react-query', async (original) => ({
  ...(await original<typeof import('@tanstack/react-query')>()),
  useQueryClient: () => undefined,
}))
vi.mock('react-i18next', () => ({
  useTranslation: () => ({ t: (key: string, values = {}) => [key, ...Object.values(values)].join(' ') }),
}))
vi.mock('../../../design/buttons/link.tsx', () => ({
  BareLink: ({ to }: { to: string }) => createElement('a', { href: to }),
}))
vi.mock('../../../words/place.tsx', () => ({ usePlace: () => ({ language: 'fra', timeZone: 'UTC' }) }))
vi.mock('../../ground/clock/browser-clock.ts', () => ({ serviceNow: () => REPORTED.at }))
vi.mock('../../ground/configuration/use-configuration.ts', () => ({
  useConfiguration: () => ({ live: { backToLiveEnabled: true } }),
}))
vi.mock('../../ground/session/session.ts', () => ({ useSession: () => ({ profile: { id: PROFILE } }) }))
vi.mock('./own-screens.ts', () => ({
  followScreens: () => () => {},
  ownScreen: (id: number): CastTarget => ({
    id: String(id),
    load: async () => {},
    control: async ({ type }) => void service.commands.push(type),
    listen: (listener) => {
      const screen = service.screens.find(({ casDeviceId }) => casDeviceId === id)
      service.heard = listener
      if (screen) listener({ device: screen.name, isAvailable: screen.isConnected, media: screen.state })
      return () => {}
    },
  }),
}))

let root: Root
let main: HTMLElement

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  sessionStorage.clear()
  localStorage.clear()
  service.commands = []
  main = document.body.appendChild(document.createElement('main'))
  main.tabIndex = -1
  open()
})
afterEach(async () => {
  await close()
  leaveCast()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function open(): void {
  root = createRoot(document.body.appendChild(document.createElement('div')))
}

async function close(): Promise<void> {
  await act(async () => root.unmount())
}

const show = async (...screens: Screen[]) => {
  service.screens = screens
  await act(async () => root.render(createElement(MiniController, { screens })))
}

const screenOf = (casDeviceId: number, name: string): Screen => ({
  casDeviceId,
  name,
  isConnected: true,
  current: false,
  state: REPORTED,
})
const SALON = screenOf(12, 'Salon')
const CHAMBRE = screenOf(13, 'Chambre')
/** The screen once it has reported that it plays nothing. */
const stopped = (screen: Screen): Screen => ({ ...screen, state: null })

const section = () => document.querySelector('section')
const label = () => section()?.getAttribute('aria-label')
/** Name of the screen that the page offers to control. */
const offered = () => /playsOn (\w+)control$/.exec(section()?.textContent ?? '')?.[1]

/** Focuses a button of the section, and presses it. */
async function press(name: string): Promise<void> {
  const button = [...document.querySelectorAll<HTMLElement>('section button')].find(
    (each) => each.getAttribute('aria-label') === name || each.textContent.endsWith(name),
  )
  if (button === undefined) throw new Error(`There is no button “${name}”.`)
  button.focus()
  await act(async () => button.click())
}

test('V4-51 a viewer hides several screens that play, each until it has stopped', async () => {
  await show(SALON, CHAMBRE)
  expect(offered()).toBe('Salon')
  await press('hide')
  expect(offered()).toBe('Chambre')
  await press('hide')
  expect(section()).toBeNull()
  await close()
  open()
  await show(SALON, CHAMBRE)
  expect(section()).toBeNull()
  await show(SALON, stopped(CHAMBRE))
  await show(SALON, CHAMBRE)
  expect(offered()).toBe('Chambre')
})

test('V4-51 a hidden screen that loses its connection for a moment stays hidden', async () => {
  await show(SALON)
  await press('hide')
  await show({ ...SALON, isConnected: false })
  // The service may have cleared the state of a screen that is switched off.
  await show({ ...stopped(SALON), isConnected: false })
  await show(SALON)
  expect(section()).toBeNull()
  await show({ ...SALON, state: { ...REPORTED, playback: 'ended' } })
  await show(SALON)
  expect(offered()).toBe('Salon')
})

test.each(['12', '"12"', '{"12":true}', '[12', '["12",null,1.5]'])(
  'V4-51 a stored value of another form hides no screen: %j',
  async (value) => {
    sessionStorage.setItem('ondine.cast.hidden', value)
    await show(SALON)
    expect(offered()).toBe('Salon')
  },
)

test('V4-51 a screen that has not opened its content yet is not offered', async () => {
  await show({ ...SALON, state: { ...REPORTED, playback: 'loading', title: '' } })
  expect(section()).toBeNull()
})

test('V4-51 the focus stays in the section when a viewer joins and leaves a screen, and then goes to the page', async () => {
  await show(SALON)
  await press('control')
  expect([label(), currentCast(PROFILE)?.isJoined]).toEqual(['controller', true])
  expect(document.activeElement).toBe(section())
  await press('leave')
  expect([label(), service.commands]).toEqual(['running', []])
  expect(document.activeElement).toBe(section())
  await press('hide')
  expect(section()).toBeNull()
  expect(document.activeElement).toBe(main)
})

test('V4-51 the focus stays in the section when the screen stops, and elsewhere if it was elsewhere', async () => {
  await show(SALON)
  await press('control')
  await press('pause')
  const tell = async (state: TargetState) => await act(async () => service.heard?.(state))
  await tell({ device: 'Salon', isAvailable: true, media: null })
  expect(document.activeElement).toBe(section())

  await tell({ device: 'Salon', isAvailable: true, media: REPORTED })
  main.focus()
  main.blur()
  await tell({ device: 'Salon', isAvailable: true, media: null })
  expect(document.activeElement).toBe(document.body)
})

test('V4-51 V4-52 a screen that the viewer stops is not offered again, unless it goes on', async () => {
  await show(SALON)
  await press('control')
  await press('stop')
  expect([service.commands, section()]).toEqual([['stop'], null])
  expect(document.activeElement).toBe(main)
  // The screen sent this report before it received the command.
  await show({ ...SALON, state: { ...REPORTED, at: REPORTED.at + 900 } })
  expect(section()).toBeNull()
  await show({ ...SALON, state: { ...REPORTED, at: REPORTED.at + 10_000 } })
  expect(offered()).toBe('Salon')
})
