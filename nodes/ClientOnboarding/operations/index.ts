/** Every operation there is: a new one is a file of its own and a line here. */
export { count } from './count';
export { find } from './find';
export { list } from './list';
export { listGroups } from './listGroups';
