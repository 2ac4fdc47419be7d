show - </dev/null
