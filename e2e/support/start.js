// jest accepts no .mts file here, but transpiles files that this one requires.
module.exports = require('./start.mts').default;
