import { createAccountCommand } from '../features/accounts/accounts.commands.ts'
import {
  importChannelsCommand,
  listChannelsCommand,
  setChannelCommand,
  unsetChannelCommand,
} from '../features/channels/channels.commands.ts'
import {
  configFieldsCommand,
  configHistoryCommand,
  diffConfigCommand,
  getConfigCommand,
  loadConfigCommand,
  restoreConfigCommand,
  setConfigCommand,
  undoConfigCommand,
  unsetConfigCommand,
} from '../features/configuration/configuration.commands.ts'
import { importEditorialCommand } from '../features/editorial/editorial.commands.ts'
import {
  addGuideSourceCommand,
  importGuideCommand,
  listGuideSourcesCommand,
  removeGuideSourceCommand,
  runGuideSourceCommand,
} from '../features/guide/guide.commands.ts'
import {
  cancelImportCommand,
  importCommand,
  listImportsCommand,
} from '../features/library/library.commands.ts'
import {
  createOperatorCommand,
  listOperatorsCommand,
  revokeOperatorCommand,
} from '../features/operators/operators.commands.ts'
import {
  getMenusCommand,
  loadMenusCommand,
  menusHistoryCommand,
  restoreMenusCommand,
  undoMenusCommand,
} from '../features/publication/menus.commands.ts'
import { rebuildSearchCommand } from '../features/search/search.commands.ts'
import {
  createStorefrontCommand,
  listStorefrontsCommand,
} from '../features/storefronts/storefronts.commands.ts'
import {
  diffWordsCommand,
  exportWordsCommand,
  getWordsCommand,
  importWordsCommand,
  restoreWordsCommand,
  setWordsCommand,
  undoWordsCommand,
  unsetWordsCommand,
  wordsHistoryCommand,
} from '../features/words/words.commands.ts'
import type { Command } from './commands.ts'
import { doctorCommand } from './doctor.ts'

/** Every command that works on an installation. */
export const COMMANDS: readonly Command[] = [
  importCommand,
  listImportsCommand,
  cancelImportCommand,
  importChannelsCommand,
  listChannelsCommand,
  setChannelCommand,
  unsetChannelCommand,
  importGuideCommand,
  addGuideSourceCommand,
  listGuideSourcesCommand,
  removeGuideSourceCommand,
  runGuideSourceCommand,
  importEditorialCommand,
  createAccountCommand,
  createOperatorCommand,
  listOperatorsCommand,
  revokeOperatorCommand,
  createStorefrontCommand,
  listStorefrontsCommand,
  getConfigCommand,
  setConfigCommand,
  unsetConfigCommand,
  loadConfigCommand,
  diffConfigCommand,
  undoConfigCommand,
  restoreConfigCommand,
  configHistoryCommand,
  configFieldsCommand,
  getMenusCommand,
  loadMenusCommand,
  restoreMenusCommand,
  undoMenusCommand,
  menusHistoryCommand,
  rebuildSearchCommand,
  getWordsCommand,
  setWordsCommand,
  unsetWordsCommand,
  importWordsCommand,
  exportWordsCommand,
  diffWordsCommand,
  undoWordsCommand,
  restoreWordsCommand,
  wordsHistoryCommand,
  doctorCommand,
]
