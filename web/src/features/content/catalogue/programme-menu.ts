import type { Programme } from '@ondine/contract/entities'
import type { AnyRouter } from '@tanstack/react-router'
import type { Action } from '../../../modals/modal-kinds.ts'

/** An action of a card's menu. */
export interface CardAction extends Action {
  act: () => Promise<void>
}

/** Returns the actions for a programme in the menu of its card. */
type ProgrammeActions = (router: AnyRouter, programme: Programme) => Promise<CardAction[]>

let load: (() => Promise<ProgrammeActions>) | undefined

/** Adds actions for programmes to the menus of cards. Their code loads with the first menu of a programme. */
export function offerForProgrammes(loadActions: () => Promise<ProgrammeActions>): void {
  load = loadActions
}

/** Returns the actions for a programme that a feature of a higher floor has registered. */
export async function programmeActions(router: AnyRouter, programme: Programme): Promise<CardAction[]> {
  const actions = await load?.()
  return (await actions?.(router, programme)) ?? []
}
