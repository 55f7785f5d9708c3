// All the way, at night: about three times as long as what has to hold before anything lands.
process.env.DEEP = 'long';
module.exports = require('./deep.config.js');
