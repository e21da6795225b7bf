import { checkLedgerCommand, exportLedgerCommand } from '../features/accounting/accounting.commands.ts'
import { createAccountCommand } from '../features/accounts/accounts.commands.ts'
import {
  listCategoriesCommand,
  putCategoryCommand,
  removeCategoryCommand,
} from '../features/catalogue/categories.commands.ts'
import {
  addChannelListCommand,
  importChannelsCommand,
  listChannelListsCommand,
  listChannelsCommand,
  removeChannelListCommand,
  runChannelListCommand,
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
  getTextCommand,
  listTextsCommand,
  putTextCommand,
  removeTextCommand,
  restoreTextCommand,
  textHistoryCommand,
  undoTextCommand,
} from '../features/editorial/texts.commands.ts'
import {
  addGuideSourceCommand,
  importGuideCommand,
  listGuideSourcesCommand,
  removeGuideSourceCommand,
  runGuideSourceCommand,
} from '../features/guide/guide.commands.ts'
import { listKeysCommand, revokeKeyCommand, rotateKeysCommand } from '../features/keys/keys.commands.ts'
import {
  cancelImportCommand,
  importCommand,
  listImportsCommand,
} from '../features/library/library.commands.ts'
import { listTitlesCommand, removeTitleCommand } from '../features/library/titles.commands.ts'
import {
  createOperatorCommand,
  listOperatorsCommand,
  revokeOperatorCommand,
} from '../features/operators/operators.commands.ts'
import {
  listOrdersCommand,
  refundOrderCommand,
  showOrderCommand,
} from '../features/orders/orders.commands.ts'
import {
  getMenusCommand,
  loadMenusCommand,
  menusHistoryCommand,
  restoreMenusCommand,
  undoMenusCommand,
} from '../features/publication/menus.commands.ts'
import { rebuildSearchCommand } from '../features/search/search.commands.ts'
import {
  importOffersCommand,
  listOffersCommand,
  migrateOfferCommand,
  showOfferCommand,
  withdrawOfferCommand,
} from '../features/shop/shop.commands.ts'
import {
  createStorefrontCommand,
  listStorefrontsCommand,
  removeStorefrontCommand,
} from '../features/storefronts/storefronts.commands.ts'
import { claimStoreCommand, emptyStoreCommand } from '../features/stores/stores.commands.ts'
import {
  generateVouchersCommand,
  importVouchersCommand,
  listVouchersCommand,
  withdrawVoucherCommand,
} from '../features/vouchers/vouchers.commands.ts'
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

/** All commands that work on an installation. */
export const COMMANDS: readonly Command[] = [
  importCommand,
  listImportsCommand,
  cancelImportCommand,
  listTitlesCommand,
  removeTitleCommand,
  listCategoriesCommand,
  putCategoryCommand,
  removeCategoryCommand,
  importChannelsCommand,
  listChannelsCommand,
  setChannelCommand,
  unsetChannelCommand,
  addChannelListCommand,
  listChannelListsCommand,
  runChannelListCommand,
  removeChannelListCommand,
  importGuideCommand,
  addGuideSourceCommand,
  listGuideSourcesCommand,
  removeGuideSourceCommand,
  runGuideSourceCommand,
  importEditorialCommand,
  listTextsCommand,
  getTextCommand,
  putTextCommand,
  removeTextCommand,
  restoreTextCommand,
  undoTextCommand,
  textHistoryCommand,
  createAccountCommand,
  createOperatorCommand,
  listOperatorsCommand,
  revokeOperatorCommand,
  listKeysCommand,
  rotateKeysCommand,
  revokeKeyCommand,
  importOffersCommand,
  listOffersCommand,
  migrateOfferCommand,
  showOfferCommand,
  withdrawOfferCommand,
  importVouchersCommand,
  listVouchersCommand,
  generateVouchersCommand,
  withdrawVoucherCommand,
  listOrdersCommand,
  showOrderCommand,
  refundOrderCommand,
  checkLedgerCommand,
  exportLedgerCommand,
  createStorefrontCommand,
  listStorefrontsCommand,
  removeStorefrontCommand,
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
  claimStoreCommand,
  emptyStoreCommand,
  doctorCommand,
]
