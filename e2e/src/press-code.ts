import type { Page } from 'playwright-core'

/** Presses a key that only remotes have. Televisions send such keys with a code and often without a name. */
export async function pressCode(page: Page, windowsVirtualKeyCode: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', windowsVirtualKeyCode })
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', windowsVirtualKeyCode })
  await session.detach()
}
